#!/bin/sh
# Makes the subsets of Noto in this folder, of Debian's fonts-noto-core and fonts-noto-cjk, with its python3-fonttools.
set -eu
cd "$(dirname "$0")"
from=/usr/share/fonts list=$(mktemp)
cut() { # from a file, what options say, into a file of ours
	file=$1 to=$2
	shift 2
	/usr/bin/python3 -m fontTools.subset "$file" --output-file="$to" --no-hinting --name-IDs=0,1,2,13,14 \
		--drop-tables+=BASE,VORG,vhea,vmtx "$@"
}
for script in Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam \
	Myanmar Sinhala Tamil Telugu Thai; do
	cut $from/truetype/noto/NotoSans$script-Regular.ttf $script.ttf \
		--unicodes=20-40,5B-60,7B-7E,A0,AB,BB,530-77F,900-139F,1780-17FF,19E0-19FF,1C90-1CBF,200C,200D,2010-2026,25CC,2D00-2D2F
done
cut $from/truetype/noto/NotoSans-Regular.ttf Latin.ttf --unicodes=20,100-52F,1D00-1FFF,20A0-20BF,2C60-2C7F,A720-A7FF --layout-features=
cut $from/truetype/noto/NotoSansSymbols2-Regular.ttf Symbols.ttf --unicodes=20,2190-2BFF --layout-features=
cut $from/truetype/noto/NotoSansSymbols-Regular.ttf Signs.ttf --unicodes=20,2600-26FF --layout-features=
# All of GB 2312, JIS X 0208 and KS X 1001, and of Big5 what is common.
/usr/bin/python3 - >"$list" <<'P'
def of(encoding, first, last, low): # the characters of a code of two bytes
    for a in range(first, last + 1):
        for b in range(low, 0xff):
            yield bytes([a, b]).decode(encoding, "ignore")
print("".join(sorted({*of("gb2312", 0xb0, 0xf7, 0xa1), *of("euc_jp", 0xb0, 0xf4, 0xa1), *of("big5", 0xa4, 0xc6, 0x40),
    *of("euc_kr", 0xb0, 0xc8, 0xa1), " ", *map(chr, range(0x3000, 0x3190))})))
P
cut $from/opentype/noto/NotoSansCJK-Regular.ttc East.otf --text-file="$list" --font-number=0 --layout-features=
