/** The source of a regular expression, for the flag `u`: a name in an expression, such as `größe` in `${größe}`. */
export const variableName = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
