package telegram

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot/message"
)

// How old, and how far in the future, Telegram's signed data about who opens a Mini App may be.
const (
	wordLasts = time.Hour
	wordAhead = 5 * time.Minute // clocks differ
)

// SignedIn is who opens a Mini App of the bot with a token, by the data that Telegram has signed (initData),
// and a mark by which the same data is known again; false if the signature is wrong or too old. The
// library's own check is not of constant time, and decodes values twice.
func SignedIn(token, initData string, now time.Time) (p message.Account, mark string, ok bool) {
	said, err := url.ParseQuery(initData)
	sum, err2 := hex.DecodeString(said.Get("hash"))
	if err != nil || err2 != nil {
		return p, "", false
	}
	said.Del("hash")
	var lines []string
	for name, values := range said {
		for _, v := range values {
			lines = append(lines, name+"="+v)
		}
	}
	slices.Sort(lines)
	if !hmac.Equal(sum, sign(sign([]byte("WebAppData"), token), strings.Join(lines, "\n"))) {
		return p, "", false
	}
	seconds, err := strconv.ParseInt(said.Get("auth_date"), 10, 64)
	age := now.Sub(time.Unix(seconds, 0))
	var user models.User
	if err != nil || age > wordLasts || age < -wordAhead || json.Unmarshal([]byte(said.Get("user")), &user) != nil || user.ID == 0 || user.IsBot {
		return p, "", false
	}
	return personOf(&user), hex.EncodeToString(sum), true
}

func sign(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
