package collect

// HeadSize is how much of a report detection looks at.
const HeadSize = 64 << 10
