package computation

import (
	"testing"

	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
