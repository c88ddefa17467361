// Sounds are short notes made here, without files: pitches in hertz and lengths in seconds.
const notes = {
  move: [[330, 0.05]],
  capture: [[196, 0.07], [147, 0.07]],
  merge: [[330, 0.06], [494, 0.1]],
  check: [[587, 0.08], [587, 0.08]],
  end: [[392, 0.12], [494, 0.12], [587, 0.2]],
};
let audio = null;

// play plays the sound of a move's effects.
export function play(does, { check, over }) {
  if (!navigator.userActivation?.hasBeenActive) return;
  const kinds = does.map((d) => d.split(" ")[0]);
  const has = (...of) => of.some((kind) => kinds.includes(kind));
  let name = "move";
  if (has("captured", "shot", "annihilated")) name = "capture";
  if (has("merged", "absorbed", "born", "parted")) name = "merge";
  if (check) name = "check";
  if (over) name = "end";
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, long] of notes[name]) {
    const [tone, loud] = [audio.createOscillator(), audio.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.14, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + long);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop((at += long));
  }
}
