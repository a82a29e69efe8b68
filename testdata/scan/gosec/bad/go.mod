module example.com/gosec

go 1.24
