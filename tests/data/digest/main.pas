{ procedure Commented; }
type TPoint = record X: Integer; end;
  TForm = class(TObject) end;
procedure TForm.Draw; begin WriteLn('procedure Fake;'); end;
function Twice(x: Integer): Integer; begin end;
