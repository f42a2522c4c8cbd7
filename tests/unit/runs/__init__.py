"""Tests of what runs leave behind."""
