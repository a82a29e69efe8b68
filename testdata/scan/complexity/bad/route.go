package a

func Route(s string) int {
	if s == "0" {
		return 0
	}
	if s == "1" {
		return 1
	}
	if s == "2" {
		return 2
	}
	if s == "3" {
		return 3
	}
	if s == "4" {
		return 4
	}
	if s == "5" {
		return 5
	}
	if s == "6" {
		return 6
	}
	if s == "7" {
		return 7
	}
	if s == "8" {
		return 8
	}
	if s == "9" {
		return 9
	}
	if s == "10" {
		return 10
	}
	if s == "11" {
		return 11
	}
	if s == "12" {
		return 12
	}
	if s == "13" {
		return 13
	}
	if s == "14" {
		return 14
	}
	if s == "15" {
		return 15
	}
	if s == "16" {
		return 16
	}
	if s == "17" {
		return 17
	}
	if s == "18" {
		return 18
	}
	if s == "19" {
		return 19
	}
	if s == "20" {
		return 20
	}
	if s == "21" {
		return 21
	}
	if s == "22" {
		return 22
	}
	if s == "23" {
		return 23
	}
	if s == "24" {
		return 24
	}
	if s == "25" {
		return 25
	}
	if s == "26" {
		return 26
	}
	if s == "27" {
		return 27
	}
	if s == "28" {
		return 28
	}
	if s == "29" {
		return 29
	}
	if s == "30" {
		return 30
	}
	if s == "31" {
		return 31
	}
	if s == "32" {
		return 32
	}
	if s == "33" {
		return 33
	}
	if s == "34" {
		return 34
	}
	return -1
}
