package suite

import (
	"testing"

	qt "github.com/frankban/quicktest"
	"github.com/matryer/is"
	. "github.com/onsi/gomega"
	"github.com/stretchr/testify/require"
)

func TestRequire(t *testing.T) {
	require.Equal(t, 1, Total(1))
}

func TestIs(t *testing.T) {
	is := is.New(t)
	is.Equal(Total(1), 1)
}

func TestQuick(t *testing.T) {
	c := qt.New(t)
	c.Assert(Total(1), qt.Equals, 1)
}

func TestGomega(t *testing.T) {
	RegisterTestingT(t)
	Expect(Total(1)).To(Equal(1))
}

func TestOtherName(tt *testing.T) {
	total(tt, 1)
}

func TestOwnMethods(tt *testing.T) {
	if Total(1) != 1 {
		tt.Error("wrong")
	}
}

func TestNeighbour(t *testing.T) {
	sums(1)
}
