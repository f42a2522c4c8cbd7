package disk

// File is one on disk.
type File struct{ path string }

// Open opens.
func Open(path string) (*File, error) {
	if err := check(path); err != nil {
		return nil, err
	}
	return &File{path: path}, nil
}

func (f *File) Close() error { return unlock(f.path) }
