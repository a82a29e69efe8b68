package rooted

const nonblock = 0
