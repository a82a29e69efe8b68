package measured

// Prefix maps file names that begin with From to paths under To, which is
// relative to the repository root.
type Prefix struct{ From, To string }
