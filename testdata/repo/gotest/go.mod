module example.com/when

go 1.22
