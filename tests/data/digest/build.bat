@echo off
:build
rem :commented
:clean
