module example.com/staticcheck

go 1.24
