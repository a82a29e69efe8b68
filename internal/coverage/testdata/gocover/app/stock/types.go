package stock

// Item has no code.
type Item struct{ Name string }
