import { headers } from 'next/headers';

/**
 * Runs in the browser, as text: it stands in the page before any script of ours and may use nothing
 * from around it.
 */
function noteEarlyPress(): void {
  // As the press leaves the page: React hears it before, and may take the button over for it.
  window.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) window.earlyPress = { button, atMs: performance.now() };
  });
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
