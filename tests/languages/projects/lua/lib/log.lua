return function(text) return text end
