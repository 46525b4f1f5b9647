# resource "commented" "x" {}
resource "aws_instance" "web" {
  ami = "x"
}
variable "region" {
}
