# The shop's machines.
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}

variable "region" {  # => def variable var.region
  default = "eu-${lookup(var.x, "a")}"
}

locals {
  names = ["a", "b"]  # => def variable local.names
  tags  = { owner = "me" }  # => def variable local.tags
}

# Where it runs.
resource "aws_instance" "web" {  # => def resource aws_instance.web
  ami       = data.aws_ami.base.id
  user_data = templatefile("${path.module}/init/web.sh.tpl", { x = 1 })  # => import ./init/web.sh.tpl
  policy    = <<-EOT
    resource "not" "this" {
  EOT
  ebs_block_device { size = 3 }
}

data "aws_ami" "base" {}  # => def resource data.aws_ami.base

module "vpc" {  # => def resource module.vpc
  source = "./modules/vpc"  # => import ./modules/vpc
}

module "lb" {  # => def resource module.lb
  source  = "terraform-aws-modules/alb/aws"  # => import terraform:terraform-aws-modules/alb/aws (dependency)
  version = "9.0"
}

output "ip" { value = aws_instance.web.ip }  # => def variable output.ip
