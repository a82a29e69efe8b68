// Package dotnet reads the XML reports of test runners of .NET: TRX, NUnit and xUnit.net.
package dotnet
