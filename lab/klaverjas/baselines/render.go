package baselines

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strconv"
	"text/template"

	"roem/lab/klaverjas/dataset"
)

// readme is the template of the page.
//
//go:embed readme.md.tmpl
var readme string

// ErrResults is the error for a file that does not hold the results of Run.
var ErrResults = errors.New("not the results of roem-lab klaverjas baselines")

// Render returns the files that present the results, by name.
func Render(r *Results) (map[string][]byte, error) {
	if len(r.Tests) == 0 || len(r.Winners) == 0 || len(r.Hardness) == 0 {
		return nil, ErrResults
	}
	winners := [][]string{{
		"set", "model", "accuracy", "accuracy_low", "accuracy_high", "log_loss", "log_loss_low", "log_loss_high",
		"brier", "brier_low", "brier_high",
	}}
	for _, w := range r.Winners {
		winners = append(winners, append([]string{string(w.Set), w.Model}, three(w.Accuracy, w.LogLoss, w.Brier)...))
	}
	efforts := [][]string{{
		"set", "model", "rank_correlation", "rank_correlation_low", "rank_correlation_high",
		"absolute_error", "absolute_error_low", "absolute_error_high",
	}}
	for _, h := range r.Hardness {
		efforts = append(efforts, append([]string{string(h.Set), h.Model}, three(h.Rank, h.Error)...))
	}
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	models, err := json.MarshalIndent(r.models(), "", " ")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"README.md": page, "models.json": append(models, '\n')}
	for name, lines := range map[string][][]string{"winners.csv": winners, "hardness.csv": efforts} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	return files, nil
}

// entry is a row of the model card's table of models. Accuracies are 0 if they were not measured.
type entry struct {
	Name         string  `json:"name"`
	Rows         int     `json:"rows"`
	ClassUniform float64 `json:"class_uniform"`
	Uniform      float64 `json:"uniform"`
}

func (r *Results) models() (out []entry) {
	at := make(map[string]int)
	for _, w := range r.Winners {
		i, ok := at[w.Model]
		if !ok {
			i = len(out)
			at[w.Model] = i
			out = append(out, entry{Name: w.Model, Rows: r.Train.Rows})
		}
		switch w.Set {
		case dataset.ClassUniform:
			out[i].ClassUniform = w.Accuracy.Value
		case dataset.Uniform:
			out[i].Uniform = w.Accuracy.Value
		case dataset.Classes: // the model card does not list it
		}
	}
	return out
}

func three(intervals ...Interval) (out []string) {
	for _, i := range intervals {
		for _, x := range []float64{i.Value, i.Low, i.High} {
			out = append(out, digits(x, 6))
		}
	}
	return out
}

func digits(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }

func (r *Results) page() ([]byte, error) {
	t, err := template.New("readme").Funcs(template.FuncMap{
		"percent": func(x float64) string { return digits(100*x, 2) },
		"half":    func(i Interval) string { return digits(50*(i.High-i.Low), 2) },
		"digits":  digits,
		"count": func(n int) string {
			text := strconv.Itoa(n)
			for at := len(text) - 3; at > 0; at -= 3 {
				text = text[:at] + "," + text[at:]
			}
			return text
		},
	}).Parse(readme)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, r)
	return b.Bytes(), err
}
