package sessions

// SetFull makes all changes fail that need a larger file, as on a full disk, or no longer.
func (d *Disk) SetFull(full bool) {
	size := 0
	if full {
		size = 1
	}
	d.file.SetMaxSize(size)
}
