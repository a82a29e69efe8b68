package deploy

const accessKey = "AK@@IAQ3EGRT7LWPXZ5NVC"

func token() string {
	return "gh@@p_x7Kq2mW9vRt4Yb8Zn3Lc6Dh1Jf5Gs0PaUeT2"
}
