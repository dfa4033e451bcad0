import type { ReactNode } from 'react';
import { GirihStar } from '#app/_ui/house-mark.tsx';

/**
 * The reason why a screen or panel is empty.
 *
 * @param props.isScreen it stands alone, so that its title is the screen's heading
 */
export function Notice({
  title,
  text,
  isScreen = false,
  children,
}: {
  title: string;
  text?: string;
  isScreen?: boolean;
  children?: ReactNode;
}) {
  const Title = isScreen ? 'h1' : 'p';
  return (
    <div className="card grid grid-cols-1 justify-items-center gap-2 px-6 py-12 text-center [overflow-wrap:anywhere]">
      <GirihStar className="mb-2 size-14 text-tile" />
      <Title className="font-semibold text-lg">{title}</Title>
      {text && <p className="max-w-prose text-muted">{text}</p>}
      {children}
    </div>
  );
}
