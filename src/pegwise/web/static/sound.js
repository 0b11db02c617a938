// A short sound, for who has asked for it.

let audio = null;

/** Sound at a pitch in hertz, as loud as said, for some seconds. */
export function beep(pitch, loudness, seconds) {
  audio ??= new AudioContext();
  const [tone, loud, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(loudness, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(at + seconds);
}
