package main

// func commented() {}
type Server struct {
	addr string
}

type Handler interface {
	Serve(w int) error
}

func New(addr string) *Server { return &Server{addr} }

func (s *Server) Listen() error {
	raw := `func fake() {}`
	r := '"'
	return nil
}
