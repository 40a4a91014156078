"""The engines that judge: search (floats find), certify (balls decide), refute (smallest exact instance), prove."""
