"""Infrastructure in Terraform."""
