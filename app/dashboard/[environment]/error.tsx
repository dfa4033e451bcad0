'use client';

import { ScreenError } from '../_shell/screen-error.tsx';

export default ScreenError;
