package words

// Button is something that can be pressed instead of writing.
type Button struct {
	Label string
	Do    string // comes back when it is pressed
}

// NewButton makes a Button.
func NewButton(label, do string) Button { return Button{Label: label, Do: do} }

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
