package telegram

import (
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// says is Telegram's word on who somebody is, signed for the bot of a token.
func says(token string, facts map[string]string) string {
	query := url.Values{}
	var lines []string
	for name, value := range facts {
		query.Set(name, value)
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	query.Set("hash", hex.EncodeToString(sign(sign([]byte("WebAppData"), token), strings.Join(lines, "\n"))))
	return query.Encode()
}

// TestTelegramsExampleIsTaken has what a Telegram client sent to a bot whose token was made public
// with it, in the documentation of the package telegram-mini-apps/init-data-golang.
func TestTelegramsExampleIsTaken(t *testing.T) {
	const token = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
	const word = "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
	p, _, ok := SignedIn(token, word, time.Unix(1662771648, 0))
	if !ok || p.Address.ID != "279058397" || p.Name != "Vladislav Kibenko" || p.Mention != "@vdkfrost" || p.Locale != "ru" {
		t.Errorf("%+v, %v", p, ok)
	}
}

func TestTelegramsWordHoldsForAnHourForItsOwnBotAndAsItIs(t *testing.T) {
	const token = "123:abc"
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	facts := func(age time.Duration, user string) map[string]string {
		return map[string]string{"auth_date": strconv.FormatInt(now.Add(-age).Unix(), 10), "user": user, "query_id": "a%41", "signature": "x"}
	}
	const ann = `{"id":7,"first_name":"Ann & \"Bea\"","username":"ann"}`
	good := says(token, facts(0, ann))
	for name, c := range map[string]struct {
		word string
		ok   bool
	}{
		"new":                  {good, true},
		"nearly an hour old":   {says(token, facts(time.Hour, ann)), true},
		"an hour old":          {says(token, facts(time.Hour+time.Second, ann)), false},
		"from the future":      {says(token, facts(-time.Hour, ann)), false},
		"of another bot":       {says("123:abd", facts(0, ann)), false},
		"about somebody else":  {strings.Replace(good, "7", "8", 1), false},
		"with more in it":      {good + "&chat_type=group", false},
		"without a hash":       {good[:strings.Index(good, "&hash=")], false},
		"with another hash":    {strings.Replace(good, "hash=", "hash=00", 1), false},
		"about nobody":         {says(token, facts(0, "{}")), false},
		"about a bot":          {says(token, facts(0, `{"id":7,"is_bot":true,"first_name":"x"}`)), false},
		"not even words":       {"%zz", false},
		"nothing":              {"", false},
		"without its time":     {says(token, map[string]string{"user": ann}), false},
		"with two of its time": {says(token, facts(2*time.Hour, ann)) + "&auth_date=" + strconv.FormatInt(now.Unix(), 10), false},
	} {
		p, _, ok := SignedIn(token, c.word, now)
		if ok != c.ok || ok && (p.Address != account(7) || p.Name != `Ann & "Bea"`) {
			t.Errorf("%s: %+v, %v", name, p, ok)
		}
	}
}

// TestTheSameWordHasTheSameMarkHoweverItIsWritten writes Telegram's word in another order, and in capitals.
func TestTheSameWordHasTheSameMarkHoweverItIsWritten(t *testing.T) {
	const token = "123:abc"
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	facts := map[string]string{"auth_date": strconv.FormatInt(now.Unix(), 10), "user": `{"id":7,"first_name":"Ann"}`, "query_id": "1"}
	word := says(token, facts)
	parts := strings.Split(word, "&")
	slices.Reverse(parts)
	for i, part := range parts {
		if sum, ok := strings.CutPrefix(part, "hash="); ok {
			parts[i] = "hash=" + strings.ToUpper(sum)
		}
	}
	_, mark, ok := SignedIn(token, word, now)
	_, again, ok2 := SignedIn(token, strings.Join(parts, "&"), now)
	if !ok || !ok2 || mark != again {
		t.Errorf("%q, %v, and %q, %v", mark, ok, again, ok2)
	}
	facts["query_id"] = "2"
	if _, other, ok := SignedIn(token, says(token, facts), now); !ok || other == mark {
		t.Errorf("another word has the mark %q, %v", other, ok)
	}
}
