const KEPT_AS = 'paid-sound';

/** Whether the sound is switched on, on this device. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) === 'on';
  } catch {
    // A browser can forbid a page to keep anything.
    return false;
  }
}

/** Remembers the choice on this device. */
export function keepSound(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(KEPT_AS, 'on');
    else localStorage.removeItem(KEPT_AS);
  } catch {
    // It lasts as long as the page.
  }
}

/** Two rising tones: hertz, and when each begins and ends in seconds. */
const TONES = [
  { hz: 659.25, fromS: 0, toS: 0.35 },
  { hz: 987.77, fromS: 0.14, toS: 0.8 },
];
const LOUDNESS = 0.25;
const SILENCE = 0.001;

/** Plays the sound of a payment; a browser that nobody has touched yet stays silent. */
export function playPaid(): void {
  const audio = new AudioContext();
  for (const { hz, fromS, toS } of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const beginS = audio.currentTime + fromS;
    tone.frequency.value = hz;
    volume.gain.setValueAtTime(LOUDNESS, beginS);
    volume.gain.exponentialRampToValueAtTime(SILENCE, audio.currentTime + toS);
    tone.connect(volume).connect(audio.destination);
    tone.start(beginS);
    tone.stop(audio.currentTime + toS);
  }
  const last = TONES.at(-1)?.toS ?? 0;
  setTimeout(() => void audio.close(), (last + 1) * 1_000);
}
