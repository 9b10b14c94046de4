package violation

import (
	"slices"
	"strings"
)

// maxNear is how long the texts are that Nearest compares. It bounds the work for a hostile text.
const maxNear = 64

// Nearest returns the word that a text was probably meant to be, or "". Upper and lower case, and - and _, are almost equal.
// At most a third of the letters may differ, or the text begins with one of the words that has three letters or more: trumps is trump.
//
// A word of another language is as near as the word itself: see translations.
func Nearest(text string, words []string) string {
	if len(text) <= maxNear {
		for _, meant := range translations[plain(text)] {
			if slices.Contains(words, meant) {
				return meant
			}
		}
	}
	best, least := "", len(text)
	for _, word := range words {
		if d := Distance(text, word); 3*d <= max(len(text), len(word)) && d < least {
			best, least = word, d
		}
	}
	if best != "" {
		return best
	}
	begin := plain(text[:min(len(text), maxNear)])
	for _, word := range words {
		if len(word) >= 3 && len(word) > len(best) && len(word) < len(text) && strings.HasPrefix(begin, plain(word)) {
			best = word
		}
	}
	return best
}

// OnlyNear returns the one word that differs from a text in the fewest letters, in at most a third of them, or "" if there is none or more
// than one.
func OnlyNear(text string, words []string) string {
	best, least := "", len(text)/3+1
	for _, word := range words {
		switch d := Distance(text, word); {
		case d < least:
			best, least = word, d
		case d == least:
			best = ""
		}
	}
	return best
}

// Distance returns how many letters have to be added, removed, replaced or swapped with the next one to make one text of the other, without
// regard to case and to - and _. Texts of more than 64 bytes are as far apart as they are long.
func Distance(a, b string) int {
	if len(a) > maxNear || len(b) > maxNear {
		return max(len(a), len(b))
	}
	a, b = plain(a), plain(b)
	if len(a) == 0 {
		return len(b)
	}
	var rows [3][maxNear + 1]int // the row before the last, the last, and this one
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := range len(a) {
		rows[2][0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			rows[2][j+1] = min(rows[1][j]+cost, rows[1][j+1]+1, rows[2][j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				rows[2][j+1] = min(rows[2][j+1], rows[0][j-1]+1)
			}
		}
		rows[0], rows[1] = rows[1], rows[2]
	}
	return rows[1][len(b)]
}

func plain(text string) string { return strings.ReplaceAll(strings.ToLower(text), "_", "-") }
