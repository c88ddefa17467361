package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed assets
var assets embed.FS

// assetPath is where assets are. It changes when they do, so that browsers may keep them for ever.
var assetPath = "/assets/" + hashOf(assets) + "/" //nolint:gochecknoglobals // read once, never written

// hashOf tells files from all others.
func hashOf(files fs.FS) string {
	all := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		all.Write([]byte(path + "\x00"))
		all.Write(content)
		return err
	})
	if err != nil {
		panic(err) // what is built in can be read
	}
	return hex.EncodeToString(all.Sum(nil))[:12]
}

// serveAsset answers with a file that never changes at its address.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, assetPath)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets, "assets/"+name)
}
