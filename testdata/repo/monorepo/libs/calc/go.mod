module example.com/shop/calc

go 1.22
