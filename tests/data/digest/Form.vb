' Sub Commented()
Public Class Form1
    Private Sub Draw(x As Integer)
    End Sub
    Function Twice(x As Integer) As Integer
    End Function
End Class
