package sessions

// SetFull makes all changes fail that need a larger file, as on a full disk, or no longer.
func (d *Disk) SetFull(full bool) {
	d.db.MaxSize = 0
	if full {
		d.db.MaxSize = 1
	}
}
