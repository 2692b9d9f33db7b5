<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=docs/README.html">
<title>Tutti</title>
</head>
<body><p><a href="docs/README.html">Documentation of Tutti</a></p></body>
</html>
