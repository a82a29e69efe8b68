package price

func Band(amount int, member, abroad, gift bool) string {
	if amount < 0 || amount > 1000000 {
		return "none"
	}
	if member && amount > 10 || abroad && amount > 20 {
		return "low"
	}
	if gift && !member && !abroad || amount > 500 && member {
		return "high"
	}
	return "plain"
}
