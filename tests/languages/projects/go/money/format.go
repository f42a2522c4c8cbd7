package coin

import "strconv"

const width = 8

func format(a Amount) string { return strconv.Itoa(int(a)) }
