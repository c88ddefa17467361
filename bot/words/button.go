package words

// Labels of buttons; they are fixed.
const (
	LabelAccept  = "Accept"
	LabelDecline = "Decline"
	LabelJoin    = "Join"
	LabelCancel  = "Cancel"
	LabelMove    = "Move"
	LabelFlip    = "Flip"
	LabelDraw    = "Draw"
	LabelResign  = "Resign"
	LabelMore    = "More"
	LabelBefore  = "◀"
	LabelAfter   = "▶"
	LabelBack    = "Back"
	LabelConfirm = "Confirm"
	LabelYes     = "Yes"
	LabelNo      = "No"
	LabelRematch = "Rematch"
	LabelBoard   = "Board"
	LabelReplay  = "Replay"
	LabelClaim   = "Claim win"
)
