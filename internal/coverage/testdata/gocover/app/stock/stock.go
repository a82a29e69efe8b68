package stock

// Factor is one.
func Factor() float64 {
	return 1
}

// Query is several lines of text.
func Query() string {
	q := `select *
from stock

where n > 0`
	return q
}
