"""The terminal application: menus, boards, training and review."""
