module example.com/team/goapp

go 1.26
