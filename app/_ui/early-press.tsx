import { headers } from 'next/headers';

/**
 * Runs in the browser, as text: it stands in the page before any script of ours and may use nothing
 * from around it.
 */
function noteEarlyPress(): void {
  const note = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) window.earlyPress = { button, atMs: performance.now() };
  };
  // Before React hears it, which lets nobody else hear of a press on what it is still to take over.
  window.addEventListener('click', note, { capture: true });
}

/**
 * Notes the last press of a button, for the one that its script is not there for yet
 * (`press-button.tsx`), as on a slow connection.
 */
export async function EarlyPress() {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  // Browsers hide a nonce from scripts, React's comparison among them.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {`(${noteEarlyPress.toString()})()`}
    </script>
  );
}
