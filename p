# game]0;X
TTT/.../.../.../BBB T	draw[2J
