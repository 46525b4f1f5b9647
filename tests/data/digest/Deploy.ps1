<# function Commented {} #>
# function Commented2 {}
function Get-Thing { param($Name) "function Fake {" }
class Server { [string]$Name }
Filter Where-Big { $_ }
