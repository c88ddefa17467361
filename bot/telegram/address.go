package telegram

import (
	"strconv"
	"strings"

	"chimera/storage"
)

// address is a chat, or a topic of one, which is 0 for none.
func address(chat int64, topic int) storage.Address {
	id := strconv.FormatInt(chat, 10)
	if topic != 0 {
		id += "/" + strconv.Itoa(topic)
	}
	return storage.Address{Platform: Platform, ID: id}
}

// chatOf is the chat and the topic of an address.
func chatOf(a storage.Address) (chat int64, topic int) {
	one, other, _ := strings.Cut(a.ID, "/")
	chat, _ = strconv.ParseInt(one, 10, 64)
	topic, _ = strconv.Atoi(other)
	return chat, topic
}

func account(user int64) storage.Address {
	return storage.Address{Platform: Platform, ID: strconv.FormatInt(user, 10)}
}
