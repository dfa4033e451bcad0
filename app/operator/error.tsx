'use client';

import { ScreenError } from '../dashboard/_parts/screen-error.tsx';

export default ScreenError;
