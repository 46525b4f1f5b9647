package My::Tool;
use strict;
# sub commented {}
sub new { my $class = shift; return bless {}, $class; }
sub run {
    my $s = q{sub fake \}};
    $s =~ s/sub x/sub y/;
    print <<EOT;
sub in_heredoc {}
EOT
}
1;
__END__
sub after_end {}
